// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {FlatJobsWithBytes} from "./Jobs.sol";

/// @notice A token and an agent id for each job; more fields behind those that the drafts have.
contract DialectD is FlatJobsWithBytes {
    struct LongJob {
        uint256 id;
        address client;
        address provider;
        address evaluator;
        string description;
        uint256 budget;
        uint256 expiredAt;
        JobStatus status;
        address hook;
        address paymentToken;
        uint256 providerAgentId;
        uint256 submittedAt;
    }

    mapping(uint256 => address) internal tokens;
    mapping(uint256 => uint256) internal agentIds;

    event JobCreated(
        uint256 indexed jobId,
        address indexed client,
        address indexed provider,
        address evaluator,
        uint256 expiredAt,
        address hook
    );
    event BudgetSet(uint256 indexed jobId, address indexed token, uint256 amount);
    event JobFunded(uint256 indexed jobId, address indexed client, uint256 amount);

    function createJob(
        address provider,
        address evaluator,
        uint256 expiredAt,
        string calldata description,
        address hook,
        uint256 providerAgentId
    ) external {
        _create(provider, evaluator, expiredAt, description, hook);
        agentIds[last] = providerAgentId;
        emit JobCreated(last, msg.sender, provider, evaluator, expiredAt, hook);
    }

    function setProvider(uint256 jobId, address provider, uint256 agentId) external {
        jobs[jobId].provider = provider;
        agentIds[jobId] = agentId;
    }

    function setBudget(uint256 jobId, address token, uint256 amount, bytes calldata) external {
        _price(jobId, amount);
        tokens[jobId] = token;
        emit BudgetSet(jobId, token, amount);
    }

    function fund(uint256 jobId, uint256 expectedBudget, bytes calldata) external {
        emit JobFunded(jobId, _move(jobId, JobStatus.Funded).client, expectedBudget);
    }

    function getJob(uint256 jobId) external view override returns (Job memory) {
        Job memory job = jobs[jobId];
        LongJob memory long = LongJob(
            job.id,
            job.client,
            job.provider,
            job.evaluator,
            job.description,
            job.budget,
            job.expiredAt,
            job.status,
            job.hook,
            tokens[jobId],
            agentIds[jobId],
            block.timestamp
        );
        // The same selector with a longer return value.
        bytes memory answer = abi.encode(long);
        assembly {
            return(add(answer, 32), mload(answer))
        }
    }
}
