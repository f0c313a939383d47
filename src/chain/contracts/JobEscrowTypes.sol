// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title Types, events and errors of the job escrow
/// @dev Events have the names and fields of ERC-8183. JobDescribed is added because the description is not stored;
/// FeeUnpaid and FeesWithdrawn are added for fees that the token refuses to transfer. UnusedReturned is added for prices by use:
/// Refunded would tell readers that the whole budget went back. ReturnUnpaid and ReturnWithdrawn are as those of fees.
interface JobEscrowTypes {
    enum JobStatus {
        Open,
        Funded,
        Submitted,
        Completed,
        Rejected,
        Expired
    }

    /// @notice The result of `getJob`. `description` is always empty and `hook` always zero.
    struct Job {
        uint256 id;
        address client;
        address provider;
        address evaluator;
        string description;
        uint256 budget;
        uint256 expiredAt;
        JobStatus status;
        address hook;
        uint256 submittedAt;
    }

    /// @notice The terms that a client signs when another account sends the hire.
    struct HireTerms {
        address client;
        address provider;
        address evaluator;
        uint256 expiredAt;
        string description;
        uint256 budget;
        bytes32 salt;
    }

    event JobCreated(
        uint256 indexed jobId,
        address indexed client,
        address indexed provider,
        address evaluator,
        uint256 expiredAt
    );
    event JobDescribed(uint256 indexed jobId, string description);
    event ProviderSet(uint256 indexed jobId, address indexed provider);
    event BudgetSet(uint256 indexed jobId, uint256 amount);
    event JobFunded(uint256 indexed jobId, address indexed client, uint256 amount);
    event JobSubmitted(uint256 indexed jobId, address indexed provider, bytes32 deliverable);
    event JobCompleted(uint256 indexed jobId, address indexed evaluator, bytes32 reason);
    event JobRejected(uint256 indexed jobId, address indexed rejector, bytes32 reason);
    event JobExpired(uint256 indexed jobId);
    event PaymentReleased(uint256 indexed jobId, address indexed provider, uint256 amount);
    event Refunded(uint256 indexed jobId, address indexed client, uint256 amount);
    event FeeUnpaid(uint256 indexed jobId, uint256 amount);
    event FeesWithdrawn(uint256 amount);
    event UnusedReturned(uint256 indexed jobId, address indexed client, uint256 amount);
    event ReturnUnpaid(uint256 indexed jobId, address indexed client, uint256 amount);
    event ReturnWithdrawn(address indexed client, uint256 amount);

    error BadToken(address token);
    error BadTreasury(address treasury);
    error FeeTooHigh(uint256 feeBps);
    error HookUnsupported(address hook);
    error EvaluatorMissing();
    error ProviderMissing();
    error ProviderAlreadySet(uint256 jobId);
    error ProviderIsEvaluator();
    error ExpiryOutOfRange(uint256 expiredAt);
    error BudgetMissing();
    error BudgetMismatch(uint256 budget, uint256 expected);
    error JobNotFound(uint256 jobId);
    error WrongStatus(uint256 jobId, JobStatus status);
    error Unauthorized(address caller);
    error PastExpiry(uint256 jobId);
    error NotRefundableYet(uint256 jobId, uint256 refundableAt);
    error UsedAboveBudget(uint256 used, uint256 budget);
    error WrongAmountReceived(uint256 received, uint256 expected);
}
