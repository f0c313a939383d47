// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {cheats} from "./Cheats.sol";

/// @dev The escrow, as its callers see it.
interface Escrow {
    enum JobStatus {
        Open,
        Funded,
        Submitted,
        Completed,
        Rejected,
        Expired
    }

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

    struct HireTerms {
        address client;
        address provider;
        address evaluator;
        uint256 expiredAt;
        string description;
        uint256 budget;
        bytes32 salt;
    }

    function createJob(address provider, address evaluator, uint256 expiredAt, string calldata text, address hook)
        external
        returns (uint256);
    function setProvider(uint256 jobId, address provider, bytes calldata data) external;
    function setBudget(uint256 jobId, uint256 amount, bytes calldata data) external;
    function fund(uint256 jobId, uint256 expectedBudget, bytes calldata data) external;
    function createAndFund(address provider, address evaluator, uint256 expiredAt, string calldata text, uint256 budget)
        external
        returns (uint256);
    function createAndFundWithAuthorization(HireTerms calldata terms, uint256 end, uint8 v, bytes32 r, bytes32 s)
        external
        returns (uint256);
    function submit(uint256 jobId, bytes32 deliverable, bytes calldata data) external;
    function complete(uint256 jobId, bytes32 reason, bytes calldata data) external;
    function completeUsed(uint256 jobId, uint256 used, bytes32 reason) external;
    function reject(uint256 jobId, bytes32 reason, bytes calldata data) external;
    function claimRefund(uint256 jobId) external;
    function withdrawFees() external;
    function withdrawReturn(address client) external;
    function getJob(uint256 jobId) external view returns (Job memory);
    function hireNonce(HireTerms calldata terms) external view returns (bytes32);
    function jobCount() external view returns (uint128);
    function unpaidFees() external view returns (uint256);
    function unpaidReturns(address client) external view returns (uint256);
}

interface Usdc {
    function DOMAIN_SEPARATOR() external view returns (bytes32);
    function approve(address spender, uint256 amount) external returns (bool);
    function balanceOf(address holder) external view returns (uint256);
    function mint(address to, uint256 amount) external;
    function totalSupply() external view returns (uint256);
    function transfer(address to, uint256 amount) external returns (bool);
}

/// @dev Deploys the very bytes that are committed, whatever compiled them.
function deploy(string memory variable, bytes memory arguments) returns (address place) {
    bytes memory code = abi.encodePacked(cheats.envBytes(variable), arguments);
    assembly {
        place := create(0, add(code, 0x20), mload(code))
    }
    require(place != address(0), string.concat(variable, " does not deploy"));
}
